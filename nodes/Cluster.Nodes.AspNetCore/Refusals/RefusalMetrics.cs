using System.Diagnostics.Metrics;

namespace Cluster.Nodes.AspNetCore.Refusals;

/// <summary>The meter <c>Cluster.Nodes.AspNetCore</c> of one host. Its counter is made once and protects
/// itself.</summary>
internal sealed class RefusalMetrics : IDisposable
{
    public const string MeterName = "Cluster.Nodes.AspNetCore";

    private readonly Meter _meter;
    private readonly Counter<long> _refusals;

    public RefusalMetrics(IMeterFactory meters)
    {
        _meter = meters.Create(MeterName);
        _refusals = _meter.CreateCounter<long>(
            "cluster.web.refusals", "{refusal}", "Keys, values, sessions and cookies that were refused or not kept");
    }

    /// <summary>Counts one.</summary>
    /// <param name="state">The name of the state that would have it.</param>
    /// <param name="reason">Why.</param>
    public void Count(string state, RefusalReason reason) => _refusals.Add(
        1, new("cluster.state.name", state), new("cluster.web.reason", NameOf(reason)));

    public void Dispose() => _meter.Dispose();

    private static string NameOf(RefusalReason reason) => reason switch
    {
        RefusalReason.KeyTooLong => "key_too_long",
        RefusalReason.KeyInvalid => "key_invalid",
        RefusalReason.ValueTooLarge => "value_too_large",
        RefusalReason.Refused => "refused",
        RefusalReason.Unreachable => "unreachable",
        RefusalReason.SessionUnknown => "session_unknown",
        _ => "cookie_unreadable",
    };
}
