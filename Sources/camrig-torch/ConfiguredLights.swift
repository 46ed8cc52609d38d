import CamrigModel
import DaemonKit
import Lights
import Settings

/// The lights that the configuration names, as it is when somebody wishes one: after a reload of the rig there is none that
/// this helper does not know yet. A file that cannot be read leaves it at what it named last.
final class ConfiguredLights: Sendable {
  private let path: String
  private let log: Log
  private let last: Guarded<(choice: LightChoice, told: [ConfigurationError.Problem])>

  init(path: String, log: Log) throws(ConfigurationError) {
    self.path = path
    self.log = log
    last = Guarded((try Self.read(path), []))
  }

  var now: LightChoice {
    do throws(ConfigurationError) {
      let choice = try Self.read(path)
      last.withLock { $0 = (choice, []) }
      return choice
    } catch {
      // Once, not at each wish.
      let (choice, isNew) = last.withLock { last in
        defer { last.told = error.problems }
        return (last.choice, last.told != error.problems)
      }
      for problem in error.problems where isNew {
        log.error("\(problem) The lights are those that were named before.")
      }
      return choice
    }
  }

  private static func read(_ path: String) throws(ConfigurationError) -> LightChoice {
    let torch = try ConfigurationLoader.load(path: path).0.torch
    return LightChoice(lights: torch.lights, tally: torch.tally, finds: torch.find)
  }
}
