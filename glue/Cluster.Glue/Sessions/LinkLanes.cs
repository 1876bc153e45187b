using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>
/// The lanes of one link: control from the beginning, the others when they are needed first. The side that opened the
/// link keeps them on streams; the other one asks for that. Protected by one lock, read without.
/// </summary>
internal sealed class LinkLanes
{
    private readonly Lock _gate = new();
    private readonly Link _link;
    private readonly Action<Link, Lane>? _keep;
    private Lane[] _all;
    private Lane _calls;
    private Lane? _bulk;
    private bool _isClosed;

    /// <param name="link">Their link.</param>
    /// <param name="keep">Keeps a lane on a stream; null: the peer does.</param>
    public LinkLanes(Link link, Action<Link, Lane>? keep)
    {
        _link = link;
        _keep = keep;
        Control = new Lane(LaneRole.Control, link.Settings, link);
        var hasOwnCalls = keep is not null && link.Settings.IsResumable;
        _calls = hasOwnCalls ? new Lane(LaneRole.Calls, link.Settings, link) : Control;
        _all = hasOwnCalls ? [Control, _calls] : [Control];
    }

    public Lane Control { get; }

    /// <summary>The control lane, where there is no other one.</summary>
    public Lane Calls => Volatile.Read(ref _calls);

    public Lane[] All => Volatile.Read(ref _all);

    public bool AreCarried => Array.TrueForAll(All, lane => lane.IsCarried);

    /// <summary>The peer does not know of all that has come.</summary>
    public bool HaveUntold => Array.Exists(All, lane => lane.Writer.HasUntold);

    /// <summary>The lane of a role; made when the peer joins it first.</summary>
    public Lane Of(LaneRole role)
    {
        if (role == LaneRole.Control)
            return Control;
        lock (_gate)
        {
            if (role == LaneRole.Bulk)
                return _bulk ??= AddNeedsLock(role);
            if (_calls == Control)
                Volatile.Write(ref _calls, AddNeedsLock(role));
            return _calls;
        }
    }

    /// <summary>The lane of large envelopes, on its way to a stream; with one stream only, it is that one.</summary>
    public Lane OpenBulk()
    {
        if (!_link.Settings.IsResumable)
            return Control;
        bool isNew;
        Lane lane;
        lock (_gate)
        {
            isNew = _bulk is null;
            lane = _bulk ??= AddNeedsLock(LaneRole.Bulk);
        }

        if (!isNew)
            return lane;
        if (_keep is not null)
            _keep(_link, lane);
        else
            Control.Writer.Append(
                new EnvelopeHeader { Kind = EnvelopeKind.OpenLane, CallId = (ulong)LaneRole.Bulk }, default);
        return lane;
    }

    /// <summary>Begins to carry lanes on request of the peer, which cannot open streams.</summary>
    /// <exception cref="WireException">It can, or there is no such lane to open.</exception>
    public void HandleOpen(ulong role)
    {
        if (_keep is null || role != (ulong)LaneRole.Bulk)
            throw new WireException($"open lane: {role} cannot be asked for here.");
        OpenBulk();
    }

    /// <summary>Closes all lanes; later ones are closed from the beginning.</summary>
    public Lane[] Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            foreach (var lane in _all)
                lane.Close();
            return _all;
        }
    }

    private Lane AddNeedsLock(LaneRole role)
    {
        var lane = new Lane(role, _link.Settings, _link);
        if (_isClosed)
            lane.Close();
        Volatile.Write(ref _all, [.. _all, lane]);
        return lane;
    }
}
