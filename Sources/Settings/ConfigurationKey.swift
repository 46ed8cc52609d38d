/// One key of the administrator's file.
package struct ConfigurationKey: Sendable {
  package let section: String
  package let name: String
  package let value: ConfigurationValue
  /// What it does, in whole sentences without line breaks.
  package let documentation: String
  /// The release that brought it.
  package let since: String
  /// `Section.Key` of earlier releases. They still take effect, with a warning.
  package let formerNames: [String]

  package init(
    _ section: String, _ name: String, _ value: ConfigurationValue, since: String = "0.1",
    formerNames: [String] = [], _ documentation: String
  ) {
    self.section = section
    self.name = name
    self.value = value
    self.since = since
    self.formerNames = formerNames
    self.documentation = documentation
  }

  var fullName: String { "\(section).\(name)" }
}
