namespace Cluster.Benchmarks.Buffers;

/// <summary>Ours and its rivals over memory of their own, all touched.</summary>
/// <param name="Memory">What is disposed with it.</param>
/// <param name="Ours">One call of ours.</param>
/// <param name="Rivals">One call of each rival.</param>
internal sealed record DuelSides(IDisposable[] Memory, Action Ours, params Action[] Rivals) : IDisposable
{
    public void Dispose()
    {
        foreach (var memory in Memory)
            memory.Dispose();
    }
}
