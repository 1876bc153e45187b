namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Runs trials by seed, and fails with the seed when one fails or does not end.</summary>
internal static class ForgeRun
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    /// <summary>The trial gives what went wrong, or nothing.</summary>
    public static void Check(int first, int count, Func<int, IEnumerable<string>> trial)
    {
        var failures = new List<string>();
        var seed = first;
        var thread = new Thread(() =>
        {
            for (; seed < first + count && failures.Count < 5; seed++)
            {
                try
                {
                    failures.AddRange(trial(seed).Select(text => $"seed {seed}: {text}"));
                }
                catch (Exception e)
                {
                    failures.Add($"seed {seed}: {e}");
                }
            }
        })
        { IsBackground = true };
        thread.Start();
        var ended = thread.Join(Patience);
        Assert.True(ended, string.Create(CultureInfo.InvariantCulture, $"The trial of seed {seed} does not end."));
        Assert.True(failures.Count == 0, string.Join("\n\n", failures));
    }
}
