namespace Cluster.Nodes.AspNetCore.Tests.Hybrid;

/// <summary>A value that can be changed.</summary>
public class Article
{
    /// <summary>The name.</summary>
    public string Name { get; set; } = "";
}

/// <summary>A kind of <see cref="Article"/>.</summary>
public sealed class Book : Article
{
    /// <summary>The author.</summary>
    public string Author { get; set; } = "";
}

/// <summary>A value whose type is on no closed list.</summary>
public sealed class Unlisted
{
    /// <summary>The name.</summary>
    public string Name { get; set; } = "";
}
