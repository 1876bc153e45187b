namespace Cluster.Nodes.Storage.Writing;

/// <summary>A caller that waits until the storage has a write. Answered once.</summary>
/// <param name="request">The write.</param>
internal sealed class KeyWaiter(FlushRequest request)
{
    private readonly TaskCompletionSource<FlushReply> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public FlushRequest Request { get; } = request;

    /// <summary>Whether the storage has the write.</summary>
    public Task<FlushReply> Answer => _answer.Task;

    public void Complete(FlushReply reply) => _answer.TrySetResult(reply);
}
