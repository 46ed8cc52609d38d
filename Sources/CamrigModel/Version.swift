/// The version of camrig. `make lint` holds it equal to the file `VERSION`, which the package is built from.
package enum Version {
  package static let text = "0.1.0"
}
