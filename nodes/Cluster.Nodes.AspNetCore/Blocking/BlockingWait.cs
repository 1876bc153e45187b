namespace Cluster.Nodes.AspNetCore.Blocking;

/// <summary>Waits for an operation in the synchronous members that interfaces of .NET ask for. Nothing that such an
/// operation awaits returns to the caller's context, so the wait cannot wait for its own thread; and the deadline of
/// each operation of a state bounds it. Stateless.</summary>
internal static class BlockingWait
{
    /// <summary>Takes the result, after a wait where the operation has not ended.</summary>
    public static T For<T>(ValueTask<T> operation) => operation.AsTask().GetAwaiter().GetResult();

    /// <summary>Waits where the operation has not ended.</summary>
    public static void For(ValueTask operation) => operation.AsTask().GetAwaiter().GetResult();
}
