using Cluster.Testing;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>The failures of tasks, of the whole process, that the runtime reports because nobody has looked at
/// them.</summary>
internal sealed class UnobservedFailures : IDisposable
{
    private readonly ConcurrentQueue<string> _texts = new();

    public UnobservedFailures() => TaskScheduler.UnobservedTaskException += Note;

    /// <summary>Those of tasks that are garbage by now.</summary>
    public async Task<IReadOnlyCollection<string>> CollectAsync(TimeSpan bound)
    {
        // Twice: what the first round ends may let go of others.
        for (var round = 0; round < 2; round++)
        {
            var mark = $"{Guid.NewGuid()}";
            FailUnobserved(mark);
            await Eventually.TrueAsync(
                () =>
                {
                    GC.Collect();
                    GC.WaitForPendingFinalizers();
                    return _texts.Any(text => text.Contains(mark, StringComparison.Ordinal));
                },
                bound);
        }

        return _texts;
    }

    public void Dispose() => TaskScheduler.UnobservedTaskException -= Note;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void FailUnobserved(string mark) => _ = Task.FromException(new InvalidOperationException(mark));

    private void Note(object? sender, UnobservedTaskExceptionEventArgs args) => _texts.Enqueue($"{args.Exception}");
}
