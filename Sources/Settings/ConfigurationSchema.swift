/// All that the administrator's file may say. Reading, checking, the defaults, the shipped sample file and the manual
/// page's list come from this one table.
package struct ConfigurationSchema: Sendable {
  package struct Section: Sendable {
    package let name: String
    package let documentation: String
  }

  package let sections: [Section]
  package let keys: [ConfigurationKey]
  /// `Section.Key` of earlier releases that have no successor, and what became of them.
  package let retired: [String: String]

  package init(sections: [Section], keys: [ConfigurationKey], retired: [String: String] = [:]) {
    self.sections = sections
    self.keys = keys
    self.retired = retired
  }

  func keys(of section: String) -> [ConfigurationKey] { keys.filter { $0.section == section } }

  package static let current = ConfigurationSchema(
    sections: [
      Section(name: "Rig", documentation: "The rig as a whole."),
      Section(name: "Storage", documentation: "Where takes are kept, and how much room is left to others."),
      Section(name: "Recording", documentation: "How pictures get from the cameras into files."),
      Section(name: "Cameras", documentation: "What holds for every camera that its user has not set otherwise."),
      Section(name: "Control", documentation: "The socket on which camrigctl and other local programs speak."),
      Section(name: "Network", documentation: "The web page, and what monitors in the network speak with."),
      Section(name: "Torch", documentation: "Lights that monitors switch, and the one that shows that a take runs."),
      Section(name: "Log", documentation: "What the journal gets."),
    ],
    keys: rigKeys + storageKeys + recordingKeys + cameraKeys + controlKeys + networkKeys + torchKeys + logKeys)
}
