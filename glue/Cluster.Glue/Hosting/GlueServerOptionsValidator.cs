using Microsoft.Extensions.Options;

namespace Cluster.Glue.Hosting;

/// <summary>Finds all problems of server options at once. Stateless.</summary>
internal sealed class GlueServerOptionsValidator : IValidateOptions<GlueServerOptions>
{
    public const string Section = "Glue:Server";

    public static IEnumerable<string> ProblemsOf(GlueServerOptions options)
        => OptionRange.Check($"{Section}:InProcessMode", options.InProcessMode)
            .Concat(OptionRange.Check($"{Section}:ExceptionDetail", options.ExceptionDetail))
            .Concat(OptionRange.Check(
                $"{Section}:HandshakeTimeout",
                options.HandshakeTimeout,
                TimeSpan.FromMilliseconds(10),
                LinkOptionRules.Minutes / 2))
            .Concat(OptionRange.Check($"{Section}:LostLinkCalls", options.LostLinkCalls))
            .Concat(OptionRange.Check(
                $"{Section}:UnauthenticatedConnectionsMax",
                options.UnauthenticatedConnectionsMax,
                1,
                GlueLimits.CallsInFlightHighest))
            .Concat(OptionRange.Check(
                $"{Section}:QueueDelayMax",
                options.QueueDelayMax,
                TimeSpan.FromMilliseconds(10),
                GlueLimits.DeadlineHighest))
            .Concat(OptionRange.Check(
                $"{Section}:DrainTimeout", options.DrainTimeout, TimeSpan.Zero, LinkOptionRules.Minutes))
            .Concat(OptionRange.Check(
                $"{Section}:InstanceIdleTimeout",
                options.InstanceIdleTimeout,
                TimeSpan.FromSeconds(1),
                GlueLimits.InstanceIdleTimeoutHighest))
            .Concat(OptionRange.Check(
                $"{Section}:InstanceLockTimeout",
                options.InstanceLockTimeout,
                TimeSpan.FromMilliseconds(1),
                GlueLimits.DeadlineHighest))
            .Concat(OptionRange.Check($"{Section}:InstancesMax", options.InstancesMax, 1, int.MaxValue))
            .Concat(LinkOptionRules.ProblemsOf(Section, options))
            .Concat(AddressProblemsOf(options));

    public ValidateOptionsResult Validate(string? name, GlueServerOptions options)
        => LinkOptionRules.ToResult(ProblemsOf(options));

    private static IEnumerable<string> AddressProblemsOf(GlueServerOptions options)
    {
        if (options.ListenAddress is { } address && !ListenAddress.TryParse(address, out _))
        {
            yield return $"{Section}:ListenAddress is '{address}'; use http://ip:port, http://localhost:port or "
                + "http://*:port, with port 0 for any free one, or unix:///path.";
        }

        if (options.InProcessName is { } name && Uri.CheckHostName(name) == UriHostNameType.Unknown)
            yield return $"{Section}:InProcessName is '{name}'; use letters, digits, dots and hyphens.";
    }
}
