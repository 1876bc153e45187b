using Cluster.Glue.Authorization;
using Microsoft.Extensions.Options;

namespace Cluster.Glue.Settings;

/// <summary>The ranges of the options that both ends of a link have. Pure.</summary>
internal static class LinkOptionRules
{
    /// <summary>The longest time of an option that is meant in minutes.</summary>
    public static readonly TimeSpan Minutes = TimeSpan.FromMinutes(10);

    public static IEnumerable<string> ProblemsOf(string section, ILinkOptions options) =>
        OptionRange.Check(
                $"{section}:DefaultDeadline",
                options.DefaultDeadline,
                TimeSpan.FromMilliseconds(1),
                GlueLimits.DeadlineHighest)
            .Concat(OptionRange.Check(
                $"{section}:HeartbeatInterval", options.HeartbeatInterval, TimeSpan.FromMilliseconds(50), Minutes))
            .Concat(OptionRange.Check($"{section}:ResumeWindow", options.ResumeWindow, TimeSpan.Zero, Minutes))
            .Concat(OptionRange.Check(
                $"{section}:MaxMessageBytes",
                options.MaxMessageBytes,
                GlueLimits.MessageBytesLowest,
                GlueLimits.MessageBytesHighest))
            .Concat(OptionRange.Check(
                $"{section}:WindowBytes",
                options.WindowBytes,
                GlueLimits.WindowBytesLowest,
                GlueLimits.WindowBytesHighest))
            .Concat(OptionRange.Check($"{section}:Compression", options.Compression))
            .Concat(OptionRange.Check(
                $"{section}:MaxCallsInFlight", options.MaxCallsInFlight, 1, GlueLimits.CallsInFlightHighest))
            .Concat(OptionRange.Check(
                $"{section}:MaxSendQueueBytes",
                options.MaxSendQueueBytes,
                GlueLimits.SendQueueBytesLowest,
                GlueLimits.SendQueueBytesHighest))
            .Concat(StreamProblemsOf(section, options))
            .Concat(IdentityProblemsOf($"{section}:PeerIdentity", options.PeerIdentity))
            .Concat(options.TimeProvider is null ? [$"{section}:TimeProvider is null; leave it at its default."] : []);

    private static IEnumerable<string> IdentityProblemsOf(string path, GluePeerIdentity? identity)
    {
        if (identity is null)
            yield break;
        var count = identity.Secrets.Count;
        if (count is < 1 or > GluePeerIdentity.SecretsMax)
        {
            yield return $"{path}:Secrets has {count} entries; use 1, and 2 while a secret is changed, at most "
                + $"{GluePeerIdentity.SecretsMax}. Without a secret, leave PeerIdentity null.";
        }

        for (var at = 0; at < count; at++)
        {
            // The message never shows the text or its length: both would help an attacker who guesses.
            if (identity.Secrets[at] is not { IsLongEnough: true })
            {
                yield return $"{path}:Secrets:{at} is shorter than {GlueSecret.BytesMin} bytes; use 32 random bytes "
                    + "in base 64.";
            }
        }
    }

    private static IEnumerable<string> StreamProblemsOf(string section, ILinkOptions options) =>
        OptionRange.Check(
                $"{section}:StreamWindowItems", options.StreamWindowItems, 1, GlueLimits.StreamWindowItemsHighest)
            .Concat(OptionRange.Check(
                $"{section}:StreamWindowBytes",
                options.StreamWindowBytes,
                GlueLimits.StreamWindowBytesLowest,
                GlueLimits.StreamWindowBytesHighest))
            .Concat(OptionRange.Check(
                $"{section}:MaxReferences", options.MaxReferences, 16, GlueLimits.ReferencesHighest));

    public static ValidateOptionsResult ToResult(IEnumerable<string> problems) =>
        problems.ToList() is { Count: > 0 } found
            ? ValidateOptionsResult.Fail(found)
            : ValidateOptionsResult.Success;
}
