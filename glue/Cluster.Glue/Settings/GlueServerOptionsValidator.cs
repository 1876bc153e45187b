using Cluster.Glue.Hosting;
using Microsoft.Extensions.Options;

namespace Cluster.Glue.Settings;

/// <summary>Finds all problems of server options at once. Stateless.</summary>
internal sealed class GlueServerOptionsValidator : IValidateOptions<GlueServerOptions>
{
    public const string Section = "Glue:Server";

    public static IEnumerable<string> ProblemsOf(GlueServerOptions options) =>
        OptionRange.Check($"{Section}:InProcessMode", options.InProcessMode)
            .Concat(OptionRange.Check($"{Section}:ExceptionDetail", options.ExceptionDetail))
            .Concat(OptionRange.Check(
                $"{Section}:HandshakeTimeout",
                options.HandshakeTimeout,
                TimeSpan.FromMilliseconds(10),
                LinkOptionRules.Minutes / 2))
            .Concat(OptionRange.Check($"{Section}:LostLinkCalls", options.LostLinkCalls))
            .Concat(OptionRange.Check(
                $"{Section}:MaxUnauthenticatedConnections",
                options.MaxUnauthenticatedConnections,
                1,
                GlueLimits.CallsInFlightHighest))
            .Concat(OptionRange.Check(
                $"{Section}:MaxQueueDelay",
                options.MaxQueueDelay,
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
            .Concat(OptionRange.Check($"{Section}:MaxInstances", options.MaxInstances, 1, int.MaxValue))
            .Concat(IntakeProblemsOf(options))
            .Concat(LinkOptionRules.ProblemsOf(Section, options))
            .Concat(TlsRules.ProblemsOf($"{Section}:Tls", options.Tls))
            .Concat(AddressProblemsOf(options));

    public ValidateOptionsResult Validate(string? name, GlueServerOptions options) =>
        LinkOptionRules.ToResult(ProblemsOf(options));

    private static IEnumerable<string> IntakeProblemsOf(GlueServerOptions options) =>
        OptionRange.Check(
                $"{Section}:MaxHandshakesPerAddress",
                options.MaxHandshakesPerAddress,
                1,
                GlueLimits.CallsInFlightHighest)
            .Concat(OptionRange.Check(
                $"{Section}:MaxHandshakesPerConnection",
                options.MaxHandshakesPerConnection,
                1,
                GlueLimits.CallsInFlightHighest))
            .Concat(OptionRange.Check($"{Section}:MaxConnections", options.MaxConnections, 1, int.MaxValue))
            .Concat(OptionRange.Check(
                $"{Section}:RequestReceiveTimeout",
                options.RequestReceiveTimeout,
                TimeSpan.FromMilliseconds(10),
                LinkOptionRules.Minutes))
            .Concat(OptionRange.Check(
                $"{Section}:MaxReceivingBytesPerConnection",
                options.MaxReceivingBytesPerConnection,
                options.MaxMessageBytes,
                GlueLimits.ReceivingBytesHighest))
            .Concat(OptionRange.Check(
                $"{Section}:MaxReceivingBytes",
                options.MaxReceivingBytes,
                options.MaxMessageBytes,
                GlueLimits.ReceivingBytesHighest))
            .Concat(OptionRange.Check(
                $"{Section}:MaxQueuedOneWayCalls",
                options.MaxQueuedOneWayCalls,
                1,
                GlueLimits.ReferencesHighest));

    private static bool IsReadable(string text) =>
        ListenAddress.TryParse(text, out var address)
            && address is { IsTls: false, Path: null } && !IPAddress.IsLoopback(address.Ip);

    private static IEnumerable<string> AddressProblemsOf(GlueServerOptions options)
    {
        foreach ((var name, var text) in new[]
            {
                (nameof(options.ListenAddress), options.ListenAddress),
                (nameof(options.PeerListenAddress), options.PeerListenAddress),
            })
        {
            if (text is not null && !ListenAddress.TryParse(text, out _))
            {
                yield return $"{Section}:{name} is '{text}'; use http://ip:port, http://localhost:port or "
                    + "http://*:port, with port 0 for any free one, https:// for TLS, or unix:///path.";
            }
            else if (text is not null && !options.AllowInsecure && IsReadable(text))
            {
                yield return $"{Section}:{name} is '{text}', where others could read and change what travels; use "
                    + $"https:// with {Section}:Tls, a loopback address or unix:///path. In a network that you trust, "
                    + $"set {Section}:AllowInsecure to true.";
            }
            else if (text is not null && text.StartsWith("https:", StringComparison.Ordinal)
                && !TlsRules.HasCertificate(options.Tls))
            {
                yield return $"{Section}:{name} is '{text}', and there is no certificate to show; set "
                    + $"{Section}:Tls:CertificateFile and {Section}:Tls:KeyFile to PEM files.";
            }
        }

        if (options is { PeerListenAddress: not null, PeerIdentity: null })
        {
            yield return $"{Section}:PeerListenAddress is set without {Section}:PeerIdentity: nobody could come in. "
                + $"Set {Section}:PeerIdentity:Secrets:0 to the secret that the peers share.";
        }

        if (options.InProcessName is { } inside && Uri.CheckHostName(inside) == UriHostNameType.Unknown)
            yield return $"{Section}:InProcessName is '{inside}'; use letters, digits, dots and hyphens.";
    }
}
