import CamrigModel
import Testing

@Suite("Command lines")
struct CommandLineOptionsTests {
  private let known = [
    OptionSyntax("--camera", value: "ID", help: "a camera"), OptionSyntax("--json", help: "for programs"),
  ]

  private func read(_ text: String) throws(UsageError) -> CommandLineOptions {
    try CommandLineOptions(text.split(separator: " ").map(String.init), known: known)
  }

  @Test("options and words stand in any order")
  func mixed() throws {
    let options = try read("record --camera a start --json --camera=b=c -- --json -")
    #expect(options.words == ["record", "start", "--json", "-"])
    #expect(options.all("--camera") == ["a", "b=c"])
    #expect(options["--camera"] == "b=c")
    #expect(options.has("--json") && !options.has("--other") && options["--other"] == nil)
  }

  @Test(
    "a wrong option is refused by name",
    arguments: [
      ("--jsn", "unknown option --jsn"), ("-x", "unknown option -x"),
      ("--camera", "--camera needs a value: --camera ID"),
      ("--camera=", "--camera needs a value: --camera ID"), ("--json=yes", "--json takes no value"),
    ])
  func wrong(_ text: String, _ fault: String) {
    #expect(throws: UsageError(fault)) { try read(text) }
  }

  @Test("the help lines up")
  func help() {
    #expect(CommandLineOptions.help(known) == "  --camera ID  a camera\n  --json       for programs\n")
  }
}
