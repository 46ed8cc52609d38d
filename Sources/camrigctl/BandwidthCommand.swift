import CamrigModel

let bandwidthCommand = Command(
  name: "bandwidth", operands: "[CAMERA…] [--size WxH] [--rate N] [--format F]",
  summary: "what each USB bus must carry, and which cameras fit together, as they are or in another format",
  options: pictureOptions
) { arguments, rig in
  var request = USBPlanRequest()
  let wish = try PictureWish(arguments)
  if !arguments.words.isEmpty {
    request.cameras = arguments.words.map {
      USBPlanRequest.Wish(camera: $0, size: wish.size, rate: wish.rate, format: wish.format)
    }
  } else if !wish.isEmpty {
    throw UsageError("name the cameras that --size, --rate and --format are for")
  }
  let (plan, json) = try rig.call(.usbPlan, request, as: USBPlanAnswer.self)
  if rig.json {
    try printJSON(json)
    return .ok
  }
  if plan.buses.isEmpty { print("No camera of these is on USB.") }
  for bus in plan.buses { show(bus) }
  return .ok
}

private func show(_ bus: USBBusPlan) {
  let verdict = bus.fits ? "all fit" : "NOT ALL FIT"
  print("Bus \(bus.bus), \(bus.megabits) Mbit/s: \(bus.percent) % of what may be reserved, \(verdict)")
  printTable(
    [["  CAMERA", "PICTURE", "BYTES", "SHARE", "FITS", ""]]
      + bus.cameras.map { camera in
        [
          "  \(camera.name)", camera.format?.description ?? "", "\(camera.bytesPerInterval)", "\(camera.percent) %",
          camera.fits ? "yes" : "no", camera.isMeasured ? "as it streams" : "reckoned",
        ]
      })
  for advice in bus.advice { print("  " + advice) }
}
