/// Texts for people that come from the schema, so that they cannot contradict it.
extension Configuration {
  /// `etc/camrig.conf` as it is shipped: every key with its words and its default, commented out.
  package static func sampleFile(schema: ConfigurationSchema = .current) -> String {
    var text = """
      # The configuration of camrig, the multi-camera recording rig: see camrig.conf(5).
      #
      # Every key stands here with its default, commented out. To change one, remove the # before it, or better write
      # it into a file of your own, /etc/camrig/camrig.conf.d/NAME.conf, below the same [Section]; such files are read
      # after this one in the order of their names, and the last word wins. An empty value is the default.
      # Check with "camrigd --check-config", then "systemctl reload camrig".
      #
      # Time spans are written like 500ms, 2s, 10min or 1h 30min, sizes like 512M or 2G. A comment needs a line of its
      # own. What users choose with camrigctl (names, formats) is not kept here.

      """
    for section in schema.sections {
      text += "\n# \(section.documentation)\n[\(section.name)]\n"
      for key in schema.keys(of: section.name) {
        text += "\n" + wrap(key.documentation, prefix: "# ")
        text += wrap("Must be \(key.value.allowed).", prefix: "# ")
        let value = key.value.write(Configuration())
        text += "#\(key.name)=\(value)\n"
      }
    }
    return text
  }

  /// The keys as a piece of camrig.conf(5), in troff.
  package static func manualKeys(schema: ConfigurationSchema = .current) -> String {
    var text = ""
    for section in schema.sections {
      text += ".SS [\(section.name)]\n\(troff(section.documentation))\n"
      for key in schema.keys(of: section.name) {
        let value = key.value.write(Configuration())
        text += ".TP\n.BR \(troff(key.name)) =\n\(troff(key.documentation))\n"
        text += "It must be \(troff(key.value.allowed)). "
        text += value.isEmpty ? "Empty by default.\n" : "Default:\n.BR \(troff(value)) .\n"
      }
    }
    return text
  }

  private static func wrap(_ text: String, prefix: String, width: Int = 100) -> String {
    var lines: [String] = []
    var line = prefix
    for word in text.split(separator: " ") {
      if line.count + word.count > width, line != prefix {
        lines.append(line)
        line = prefix
      }
      line += (line == prefix ? "" : " ") + word
    }
    return (lines + [line]).joined(separator: "\n") + "\n"
  }

  private static func troff(_ text: String) -> String {
    var escaped = ""
    for letter in text {
      switch letter {
      case "\\": escaped += "\\\\"
      case "-": escaped += "\\-"
      default: escaped.append(letter)
      }
    }
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
