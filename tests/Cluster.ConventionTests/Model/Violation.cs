namespace Cluster.ConventionTests.Model;

/// <summary>One breach of a rule; immutable.</summary>
/// <param name="Where">Path, usually with line; an entry of the exceptions list names its path.</param>
/// <param name="What">What is wrong, with the limit.</param>
internal sealed record Violation(string Where, string What)
{
    /// <summary>The path without the line.</summary>
    public string Path => Where.Split(':')[0];

    public override string ToString() => $"{Where}: {What}";
}
