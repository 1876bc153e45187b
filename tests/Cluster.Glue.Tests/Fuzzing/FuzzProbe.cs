namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>One call with what travelled for it. A feature adds its frames to the fuzz by a probe. Immutable by
/// custom.</summary>
/// <param name="Name">Of the call.</param>
/// <param name="Call">Makes the call.</param>
/// <param name="Fails">Whether it ends with an exception of the service or of the server.</param>
internal sealed record FuzzProbe(string Name, Func<GlueClient, string, Task> Call, bool Fails = false)
{
    /// <summary>What the client sent, the handles of its contracts left out.</summary>
    public List<RecordedEnvelope> Requests { get; } = [];

    /// <summary>What the server answered.</summary>
    public List<RecordedEnvelope> Answers { get; } = [];
}
