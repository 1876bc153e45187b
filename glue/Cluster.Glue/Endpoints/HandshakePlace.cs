namespace Cluster.Glue.Endpoints;

/// <summary>The place of one stream in its handshake. Immutable but for its end, which is set once.</summary>
/// <param name="address">The address of the peer, which for IPv6 is that of its network of 64 bits; null: it has none,
/// as over a Unix domain socket.</param>
/// <param name="connection">The connection of the stream.</param>
/// <param name="enteredAt">When it entered, as a timestamp.</param>
internal sealed class HandshakePlace(IPAddress? address, ClientConnection connection, long enteredAt)
{
    private readonly TaskCompletionSource _taken = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public IPAddress? Address => address;

    public ClientConnection Connection => connection;

    public long EnteredAt => enteredAt;

    /// <summary>Completes when another stream needs the place.</summary>
    public Task Taken => _taken.Task;

    public void Take() => _taken.TrySetResult();
}
