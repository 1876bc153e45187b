using Cluster.Glue.Resilience;
using Microsoft.Extensions.Options;

namespace Cluster.Glue.Settings;

/// <summary>Finds all problems of client options at once. Stateless.</summary>
internal sealed class GlueClientOptionsValidator : IValidateOptions<GlueClientOptions>
{
    public const string Section = "Glue:Client";

    public static IEnumerable<string> ProblemsOf(GlueClientOptions options) =>
        OptionRange.Check($"{Section}:Transport", options.Transport)
            .Concat(OptionRange.Check(
                $"{Section}:ConnectTimeout",
                options.ConnectTimeout,
                TimeSpan.FromMilliseconds(10),
                LinkOptionRules.Minutes / 2))
            .Concat(OptionRange.Check(
                $"{Section}:MaxLinkAge", options.MaxLinkAge, GlueLimits.LinkAgeLowest, GlueLimits.LinkAgeHighest))
            .Concat(OptionRange.Check($"{Section}:MaxBlockingCalls", options.MaxBlockingCalls, 1, int.MaxValue))
            .Concat(ResilienceRules.CheckRatio(
                $"{Section}:RetryBudgetRatio", options.RetryBudgetRatio, mayBeZero: true))
            .Concat(LinkOptionRules.ProblemsOf(Section, options))
            .Concat(TlsRules.ProblemsOf($"{Section}:Tls", options.Tls))
            .Concat(
                options is { PeerIdentity: not null, Transport: GlueTransport.Unary }
                    ? [$"{Section}:PeerIdentity is set and {Section}:Transport is Unary: a request of its own proves "
                        + "nothing; use Transport Link."]
                    : []);

    public ValidateOptionsResult Validate(string? name, GlueClientOptions options) =>
        LinkOptionRules.ToResult(ProblemsOf(options));
}
