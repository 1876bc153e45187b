namespace Cluster.ConventionTests.Walks;

/// <summary>The path of one call through one project, read from the checked-in list. Immutable.</summary>
internal sealed record Walk(string Project, string Name, int MaxTypes, int MaxReturns, IReadOnlyList<WalkStep> Steps)
{
    private const string Head = "walk ";

    /// <summary>Reads all walks of a list.</summary>
    public static IReadOnlyList<Walk> Read(string text)
    {
        var walks = new List<Walk>();
        foreach (var line in text.Split('\n').Where(line => line.Trim().Length > 0 && line[0] != '#'))
        {
            if (line.StartsWith(Head, StringComparison.Ordinal))
            {
                var parts = line[Head.Length..].Split('|', StringSplitOptions.TrimEntries);
                walks.Add(new Walk(parts[0], parts[1], NumberOf(parts[2]), NumberOf(parts[3]), []));
                continue;
            }

            var name = line.Trim();
            var dot = name.LastIndexOf('.');
            var step = new WalkStep(line.Length - line.TrimStart().Length, name[..dot], name[(dot + 1)..]);
            walks[^1] = walks[^1] with { Steps = [.. walks[^1].Steps, step] };
        }

        return walks;
    }

    /// <summary>The step whose member calls this step; null if code outside the project calls it.</summary>
    public WalkStep? ParentOf(int index)
    {
        for (var above = index - 1; above >= 0; above--)
        {
            if (Steps[above].Depth < Steps[index].Depth)
                return Steps[above];
        }

        return null;
    }

    private static int NumberOf(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
