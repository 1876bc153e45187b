using System.Threading.Tasks.Sources;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Engine;

/// <summary>A write that waits for its answer. It is answered once, and its waiter goes on in a thread of the pool.
/// Reused when the waiter has taken the answer.</summary>
internal sealed class PendingWrite : IValueTaskSource<WriteAnswer>
{
    [ThreadStatic]
    private static PendingWrite? _spare;

    private ManualResetValueTaskSourceCore<WriteAnswer> _source =
        new() { RunContinuationsAsynchronously = true };

    private PendingWrite()
    {
    }

    public ValueTask<WriteAnswer> Task => new(this, _source.Version);

    public static PendingWrite Rent()
    {
        var pending = _spare ?? new PendingWrite();
        _spare = null;
        return pending;
    }

    /// <summary>Gives the object back, whose answer nobody waits for any more.</summary>
    public void Return()
    {
        _source.Reset();
        _spare = this;
    }

    public void Answer(in WriteAnswer answer) => _source.SetResult(answer);

    WriteAnswer IValueTaskSource<WriteAnswer>.GetResult(short token)
    {
        var answer = _source.GetResult(token);
        Return();
        return answer;
    }

    ValueTaskSourceStatus IValueTaskSource<WriteAnswer>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<WriteAnswer>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);
}
