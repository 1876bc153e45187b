using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>The substreams of one link: control exists from the beginning, the others when they are first needed. The
/// side that opened the link keeps them on streams; the other side asks for that with Open. Protected by one lock;
/// reads take no lock.</summary>
internal sealed class LinkSubstreams
{
    private readonly Lock _gate = new();
    private readonly Link _link;
    private readonly Action<Link, Substream>? _keep;
    private Substream[] _all;
    private Substream _calls;
    private Substream? _bulk;
    private bool _isClosed;

    /// <param name="link">The link that owns the substreams.</param>
    /// <param name="keep">Keeps a substream on a stream. Null: the peer does that.</param>
    public LinkSubstreams(Link link, Action<Link, Substream>? keep)
    {
        _link = link;
        _keep = keep;
        Control = new Substream(SubstreamRole.Control, link.Settings, link);
        var hasOwnCalls = keep is not null && link.Settings.IsResumable;
        _calls = hasOwnCalls ? new Substream(SubstreamRole.Calls, link.Settings, link) : Control;
        _all = hasOwnCalls ? [Control, _calls] : [Control];
    }

    public Substream Control { get; }

    /// <summary>The substream of calls. It is control on a link with one substream only, and on the accepting side
    /// until the peer joins another one.</summary>
    public Substream Calls => Volatile.Read(ref _calls);

    public Substream[] All => Volatile.Read(ref _all);

    public bool AreCarried => Array.TrueForAll(All, substream => substream.IsCarried);

    /// <summary>Whether the peer does not know yet of all batches that have arrived.</summary>
    public bool HaveUntold => Array.Exists(All, substream => substream.Writer.HasUntold);

    /// <summary>The substream of a role. It is created when the peer joins it first.</summary>
    public Substream Of(SubstreamRole role)
    {
        if (role == SubstreamRole.Control)
            return Control;
        lock (_gate)
        {
            if (role == SubstreamRole.Bulk)
                return _bulk ??= AddNeedsLock(role);
            if (_calls == Control)
                Volatile.Write(ref _calls, AddNeedsLock(role));
            return _calls;
        }
    }

    /// <summary>The substream of large envelopes; a stream for it is requested if it has none. It is control on a link
    /// with one substream only.</summary>
    public Substream OpenBulk()
    {
        if (!_link.Settings.IsResumable)
            return Control;
        bool isNew;
        Substream substream;
        lock (_gate)
        {
            isNew = _bulk is null;
            substream = _bulk ??= AddNeedsLock(SubstreamRole.Bulk);
        }

        if (!isNew)
            return substream;
        if (_keep is not null)
            _keep(_link, substream);
        else
            Control.Writer.Append(
                new EnvelopeHeader { Kind = EnvelopeKind.OpenSubstream, CallId = (ulong)SubstreamRole.Bulk }, default);
        return substream;
    }

    /// <summary>Begins to carry a substream because the peer, which cannot open streams, asks for it.</summary>
    /// <exception cref="WireException">The peer can open streams itself, or the role has no such substream.</exception>
    public void HandleOpen(ulong role)
    {
        if (_keep is null || role != (ulong)SubstreamRole.Bulk)
            throw new WireException($"open substream: {role} cannot be asked for here.");
        OpenBulk();
    }

    /// <summary>Closes all substreams. A substream that is created later is closed from the beginning.</summary>
    public Substream[] Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            foreach (var substream in _all)
                substream.Close();
            return _all;
        }
    }

    private Substream AddNeedsLock(SubstreamRole role)
    {
        var substream = new Substream(role, _link.Settings, _link);
        if (_isClosed)
            substream.Close();
        Volatile.Write(ref _all, [.. _all, substream]);
        return substream;
    }
}
