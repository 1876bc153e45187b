namespace Cluster.ConventionTests.Model;

/// <summary>One violation of a rule; immutable.</summary>
/// <param name="Where">The path, usually with a line. An entry of the exceptions list names the path.</param>
/// <param name="What">The problem, with the limit.</param>
internal sealed record Violation(string Where, string What)
{
    /// <summary>The path without the line.</summary>
    public string Path => Where.Split(':')[0];

    public override string ToString() => $"{Where}: {What}";
}
