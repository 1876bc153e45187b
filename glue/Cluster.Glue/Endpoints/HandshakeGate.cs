using System.Net.Sockets;
using Cluster.Glue.Settings;
using Cluster.Glue.Transport;
using Grpc.Core;

namespace Cluster.Glue.Endpoints;

/// <summary>Bounds the streams in their handshake: all together, those of one address and those of one connection. When
/// the gate is nearly full, or an address is at its bound, the stream that has waited longest gives up its place to the
/// new one, so that peers that stop half-way lock nobody out. Protected by a lock.</summary>
internal sealed class HandshakeGate(ServerSettings settings)
{
    // The part of the usual handshake time that a stream gets when the gate is nearly full: one in this number.
    private const int ShortWaitParts = 50;

    private readonly Lock _gate = new();
    private readonly LinkedList<HandshakePlace> _places = [];
    private readonly int _crowdedCount = Math.Max(1, settings.MaxUnauthenticatedConnections * 3 / 4);

    /// <summary>The time that each handshake has for certain, also when other streams want its place.</summary>
    public TimeSpan ShortWait { get; } = settings.HandshakeTimeout / ShortWaitParts;

    /// <summary>Takes a place.</summary>
    /// <param name="address">The address of the peer; null where it has none.</param>
    /// <param name="connection">The connection of the stream.</param>
    /// <param name="refusal">Why there is no place, when the result is null.</param>
    public HandshakePlace? TryEnter(IPAddress? address, ClientConnection connection, out GrpcStatusException? refusal)
    {
        var key = KeyOf(address);
        var place = new HandshakePlace(key, connection, settings.Time.GetTimestamp());
        lock (_gate)
        {
            refusal = RefusalNeedsLock(place);
            if (refusal is not null)
                return null;
            _places.AddLast(place);
            connection.Handshakes++;
            return place;
        }
    }

    public void Leave(HandshakePlace place)
    {
        lock (_gate)
            RemoveNeedsLock(place);
    }

    private GrpcStatusException? RefusalNeedsLock(HandshakePlace place)
    {
        if (place.Connection.Handshakes >= settings.MaxHandshakesPerConnection)
        {
            return new GrpcStatusException(
                StatusCode.ResourceExhausted,
                $"{place.Connection.Handshakes} streams of this connection are shaking hands "
                + "(MaxHandshakesPerConnection); come again");
        }

        if (place.Address is not null && CountOfNeedsLock(place.Address) >= settings.MaxHandshakesPerAddress
            && !TryTakeOldestNeedsLock(place.EnteredAt, place.Address))
        {
            return new GrpcStatusException(
                StatusCode.ResourceExhausted,
                $"{settings.MaxHandshakesPerAddress} connections of this address are shaking hands "
                + "(MaxHandshakesPerAddress); come again");
        }

        var hasTaken = _places.Count >= _crowdedCount && TryTakeOldestNeedsLock(place.EnteredAt, null);
        return hasTaken || _places.Count < settings.MaxUnauthenticatedConnections
            ? null
            : new GrpcStatusException(
                StatusCode.ResourceExhausted,
                $"{settings.MaxUnauthenticatedConnections} connections are shaking hands "
                + "(MaxUnauthenticatedConnections); come again");
    }

    private int CountOfNeedsLock(IPAddress address)
    {
        var count = 0;
        foreach (var place in _places)
        {
            if (address.Equals(place.Address))
                count++;
        }

        return count;
    }

    // The places are in the order of their entry, so the first one that fits has waited longest.
    private bool TryTakeOldestNeedsLock(long now, IPAddress? address)
    {
        foreach (var place in _places)
        {
            if (address is not null && !address.Equals(place.Address))
                continue;
            if (settings.Time.GetElapsedTime(place.EnteredAt, now) < ShortWait)
                return false;
            RemoveNeedsLock(place);
            place.Take();
            return true;
        }

        return false;
    }

    private void RemoveNeedsLock(HandshakePlace place)
    {
        if (_places.Remove(place))
            place.Connection.Handshakes--;
    }

    // One machine can use all addresses of an IPv6 network, so the network counts as one address.
    private static IPAddress? KeyOf(IPAddress? address)
    {
        if (address is null || address.AddressFamily != AddressFamily.InterNetworkV6)
            return address;
        if (address.IsIPv4MappedToIPv6)
            return address.MapToIPv4();
        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out _);
        bytes[8..].Clear();
        return new IPAddress(bytes);
    }
}
