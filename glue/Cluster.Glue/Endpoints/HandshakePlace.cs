namespace Cluster.Glue.Endpoints;

/// <summary>A place among those who shake hands. Immutable but for its end, which may be set once.</summary>
/// <param name="address">Whose; null: of this machine, over a Unix domain socket.</param>
/// <param name="connection">Whose stream it is.</param>
/// <param name="enteredAt">As a timestamp.</param>
internal sealed class HandshakePlace(IPAddress? address, ClientConnection connection, long enteredAt)
{
    private readonly TaskCompletionSource _taken = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public IPAddress? Address => address;

    public ClientConnection Connection => connection;

    public long EnteredAt => enteredAt;

    /// <summary>Completes when somebody else needs the place.</summary>
    public Task Taken => _taken.Task;

    public void Take() => _taken.TrySetResult();
}
