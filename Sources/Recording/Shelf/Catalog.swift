import CamrigModel

package final class Catalog: Sendable {
  package func put(_ manifest: TakeManifest) {}
}
