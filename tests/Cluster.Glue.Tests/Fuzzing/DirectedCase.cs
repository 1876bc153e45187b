namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>One refusal that every run makes, so that no rule depends on what random damage happens to meet.
/// Immutable.</summary>
/// <param name="Says">How the refusal begins.</param>
/// <param name="Refusal">Is refused, and gives the text.</param>
internal sealed record DirectedCase(string Says, Func<DirectedBench, Task<string>> Refusal);
