import CALSA
import CamrigModel
import Glibc

/// A card's own volume and switch for what it captures. For one thread.
package final class CaptureMixer {
  private let name: String
  private let mixer: OpaquePointer
  private let element: OpaquePointer

  /// Nil: the card has neither.
  /// - Parameter name: `hw:1`
  package init?(_ name: String) throws(SoundError) {
    _ = SoundLibrary.isQuiet
    var opened: OpaquePointer?
    let result = snd_mixer_open(&opened, 0)
    guard result >= 0, let mixer = opened else { throw SoundError(name, "mixer", result) }
    for step in [
      { snd_mixer_attach(mixer, name) }, { snd_mixer_selem_register(mixer, nil, nil) }, { snd_mixer_load(mixer) },
    ] {
      let result = step()
      if result < 0 {
        snd_mixer_close(mixer)
        throw SoundError(name, "mixer", result)
      }
    }
    guard let element = Self.element(of: mixer) else {
      snd_mixer_close(mixer)
      return nil
    }
    self.name = name
    self.mixer = mixer
    self.element = element
  }

  deinit { snd_mixer_close(mixer) }

  /// Where there are several, the one that stands for the whole, as its name says.
  private static func element(of mixer: OpaquePointer) -> OpaquePointer? {
    var best: (rank: Int, element: OpaquePointer)?
    var next = snd_mixer_first_elem(mixer)
    while let element = next {
      next = snd_mixer_elem_next(element)
      guard snd_mixer_selem_is_active(element) != 0,
        snd_mixer_selem_has_capture_volume(element) != 0
          || snd_mixer_selem_has_capture_switch(element) != 0
      else { continue }
      let name = snd_mixer_selem_get_name(element).map { String(cString: $0) } ?? ""
      let rank = name == "Capture" ? 0 : name == "Mic" ? 1 : snd_mixer_selem_has_capture_volume(element) != 0 ? 2 : 3
      if rank < best?.rank ?? Int.max { best = (rank, element) }
    }
    return best?.element
  }

  /// In dB; nil where the card has no volume or does not say what it means.
  package var gain: SoundGain? {
    var (least, most, value) = (0, 0, 0)
    var (lowest, highest) = (0, 0)
    guard snd_mixer_selem_get_capture_dB_range(element, &least, &most) >= 0, most > least,
      snd_mixer_selem_get_capture_volume_range(element, &lowest, &highest) >= 0, highest > lowest,
      snd_mixer_selem_get_capture_dB(element, SND_MIXER_SCHN_FRONT_LEFT, &value) >= 0
    else { return nil }
    // The lowest step may mean "off", and stands as minus a hundred thousand dB.
    if least < -20000 { _ = snd_mixer_selem_ask_capture_vol_dB(element, lowest + 1, &least) }
    let step = Double(most - least) / Double(highest - lowest)
    return SoundGain(
      minimum: Double(least) / 100, maximum: Double(most) / 100, step: max(0.01, step.rounded() / 100),
      value: Double(max(value, least)) / 100)
  }

  /// To what comes nearest.
  package func setGain(_ decibels: Double) throws(SoundError) {
    let result = snd_mixer_selem_set_capture_dB_all(element, Int((decibels * 100).rounded()), 0)
    guard result >= 0 else { throw SoundError(name, "gain", result) }
  }

  package var hasSwitch: Bool { snd_mixer_selem_has_capture_switch(element) != 0 }

  package func setOn(_ on: Bool) throws(SoundError) {
    guard hasSwitch else { return }
    let result = snd_mixer_selem_set_capture_switch_all(element, on ? 1 : 0)
    guard result >= 0 else { throw SoundError(name, "switch", result) }
  }
}
