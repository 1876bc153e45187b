using System.Text.Json;

namespace Shop.Drive.Front;

/// <summary>The result of a run. Its JSON form has exactly these properties. Frozen.</summary>
internal sealed record ShopSummary
{
    public required int Nodes { get; init; }

    public required double Seconds { get; init; }

    /// <summary>Correctly answered calls.</summary>
    public required long Calls { get; init; }

    /// <summary>The part of <see cref="Calls"/> that another process answered.</summary>
    public required long RemoteCalls { get; init; }

    public required double CallsPerSecond { get; init; }

    /// <summary>The median latency of all calls.</summary>
    public required double P50Ms { get; init; }

    /// <summary>The 99th percentile of the latency of all calls.</summary>
    public required double P99Ms { get; init; }

    /// <summary>Calls that failed or got a wrong answer although their owner was alive.</summary>
    public required long Errors { get; init; }

    /// <summary>Calls whose owner was gone or had just died.</summary>
    public required long Unavailable { get; init; }

    public required int Sessions { get; init; }

    /// <summary>Sessions that were lost with the partitions that held their carts.</summary>
    public required int SessionsLost { get; init; }

    /// <summary>Native memory that all carts took at the end.</summary>
    public required long PileBytes { get; init; }

    public required double GcPauseMaxMs { get; init; }

    public required int Killed { get; init; }

    public string ToJson() => JsonSerializer.Serialize(this, ShopJson.Default.ShopSummary);

    public string ToText() => string.Create(
        CultureInfo.InvariantCulture,
        $"""
        {Nodes} nodes, {Seconds:0.0} s, {Killed} killed
        calls {Calls:N0}, of these to other processes {RemoteCalls:N0}; {CallsPerSecond:N0} calls/s
        latency p50 {P50Ms:0.00} ms, p99 {P99Ms:0.00} ms
        errors {Errors:N0}, unavailable {Unavailable:N0}
        sessions {Sessions:N0}, lost {SessionsLost:N0}
        pile {PileBytes / 1048576.0:0.0} MiB, longest GC pause {GcPauseMaxMs:0.0} ms
        """);
}
