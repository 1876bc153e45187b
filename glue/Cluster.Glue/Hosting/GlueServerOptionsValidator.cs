using Microsoft.Extensions.Options;

namespace Cluster.Glue.Hosting;

/// <summary>Finds all problems of server options at once. Stateless.</summary>
internal sealed class GlueServerOptionsValidator : IValidateOptions<GlueServerOptions>
{
    public const string Section = "Glue:Server";

    private static readonly TimeSpan Minutes = TimeSpan.FromMinutes(10);

    public static IEnumerable<string> ProblemsOf(GlueServerOptions options)
        => OptionRange.Check($"{Section}:InProcessMode", options.InProcessMode)
            .Concat(OptionRange.Check($"{Section}:ExceptionDetail", options.ExceptionDetail))
            .Concat(TimeProblemsOf(options))
            .Concat(OptionRange.Check(
                $"{Section}:FrameBytesMax",
                options.FrameBytesMax,
                GlueLimits.FrameBytesLowest,
                GlueLimits.FrameBytesHighest))
            .Concat(OptionRange.Check(
                $"{Section}:CallsInFlightMax", options.CallsInFlightMax, 1, GlueLimits.CallsInFlightHighest))
            .Concat(OptionRange.Check(
                $"{Section}:SendQueueBytesMax",
                options.SendQueueBytesMax,
                GlueLimits.SendQueueBytesLowest,
                GlueLimits.SendQueueBytesHighest))
            .Concat(AddressProblemsOf(options))
            .Concat(options.TimeProvider is null ? [$"{Section}:TimeProvider is null; leave it at its default."] : []);

    public ValidateOptionsResult Validate(string? name, GlueServerOptions options)
    {
        List<string> problems = ProblemsOf(options).ToList();
        return problems.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems);
    }

    private static IEnumerable<string> TimeProblemsOf(GlueServerOptions options)
        => OptionRange.Check(
                $"{Section}:DeadlineDefault",
                options.DeadlineDefault,
                TimeSpan.FromMilliseconds(1),
                GlueLimits.DeadlineHighest)
            .Concat(OptionRange.Check(
                $"{Section}:HandshakeTimeout", options.HandshakeTimeout, TimeSpan.FromMilliseconds(10), Minutes / 2))
            .Concat(OptionRange.Check(
                $"{Section}:HeartbeatInterval", options.HeartbeatInterval, TimeSpan.FromMilliseconds(50), Minutes))
            .Concat(OptionRange.Check($"{Section}:DrainTimeout", options.DrainTimeout, TimeSpan.Zero, Minutes));

    private static IEnumerable<string> AddressProblemsOf(GlueServerOptions options)
    {
        if (options.ListenAddress is { } address && !ListenAddress.TryParse(address, out _))
        {
            yield return $"{Section}:ListenAddress is '{address}'; use http://ip:port, http://localhost:port or "
                + "http://*:port, with port 0 for any free one.";
        }

        if (options.InProcessName is { } name && Uri.CheckHostName(name) == UriHostNameType.Unknown)
            yield return $"{Section}:InProcessName is '{name}'; use letters, digits, dots and hyphens.";
    }
}
