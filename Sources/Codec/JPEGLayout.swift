import CamrigModel

/// Where the parts of a whole JPEG picture lie in the buffer that a camera gave.
package struct JPEGLayout: Hashable, Sendable {
  /// From the start to the true end-of-image marker, that included. Padding and further images come after.
  package let byteCount: Int
  package let size: PixelSize
  /// The picture leaves out Huffman tables and means the standard ones. Many UVC cameras do; many decoders
  /// then show nothing.
  package let huffmanTablesMissing: Bool
  /// Where `JPEGHuffmanTables.standard` belongs if tables are missing: before the first scan, and before any
  /// table of the picture's own, so that those stay in force.
  package let insertTablesAt: Int
  /// Bytes of the buffer after the picture.
  package let paddingBytes: Int
  /// Another image begins there: the driver joined frames because the camera did not toggle its frame ID.
  package let extraImages: Bool

  /// Of the picture as it is stored and sent: trimmed, and with all its tables.
  package var storedByteCount: Int {
    byteCount + (huffmanTablesMissing ? JPEGHuffmanTables.standard.count : 0)
  }

  /// Copies the picture out of the buffer this layout was found in: trimmed, and with all its tables.
  /// - Parameter target: `storedByteCount` bytes.
  package func copy(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
    precondition(target.count == storedByteCount, "the memory for a picture has its stored length")
    guard huffmanTablesMissing else {
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[0..<byteCount]))
      return
    }
    let tables = JPEGHuffmanTables.standard
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[0..<insertTablesAt]))
    tables.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: target[insertTablesAt...]).copyMemory(from: $0)
    }
    UnsafeMutableRawBufferPointer(rebasing: target[(insertTablesAt + tables.count)...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[insertTablesAt..<byteCount]))
  }
}
