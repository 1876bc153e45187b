using Cluster.Glue.Client;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>The handles that this side gave to the methods it calls over one link, and the server's bind results. A
/// group of methods is bound at its first call. Arrays are replaced under a lock and read without it.</summary>
internal sealed class OutgoingMethods(Substream substream, string peerName)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<int, BoundPart> _parts = [];
    private int[] _firstHandles = [];
    private BindState[] _states = [];
    private int _nextHandle;
    private bool _isClosed;
    private TaskCompletionSource? _learned;

    /// <summary>Methods whose bind results come in one answer.</summary>
    private readonly record struct BoundPart(MethodGroup Group, int FirstIndex, int Count);

    /// <summary>The bind result of one method on this link.</summary>
    public readonly record struct BindState(bool IsKnown, bool IsDescribed, GlueException? Refusal)
    {
        /// <summary>Calls need no check or description: both sides have the same method.</summary>
        public bool IsSame => IsKnown && !IsDescribed && Refusal is null;
    }

    public int HandleOf(ClientMethod method)
    {
        var firstHandles = Volatile.Read(ref _firstHandles);
        var group = method.Group;
        var first = group.Index < firstHandles.Length ? firstHandles[group.Index] - 1 : -1;
        return (first >= 0 ? first : Bind(group)) + method.Contract.Index - group.FirstMethodIndex;
    }

    public BindState BindStateOf(int handle)
    {
        var states = Volatile.Read(ref _states);
        return handle < states.Length ? states[handle] : default;
    }

    /// <summary>Completes when the bind result of the method is known, or that of any other method.</summary>
    public Task WaitForBindAsync(int handle)
    {
        lock (_gate)
        {
            if (_isClosed || BindStateOf(handle).IsKnown)
                return Task.CompletedTask;
            _learned ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _learned.Task;
        }
    }

    /// <summary>Ends all waits, because the link has ended.</summary>
    public void Close()
    {
        lock (_gate)
            _isClosed = true;
        Wake();
    }

    public void Learn(BindResults bindResults)
    {
        var part = PartAt(bindResults.FirstHandle);
        var known = new BindState[part.Count];
        Array.Fill(known, new BindState(true, false, null));
        foreach (var difference in bindResults.Differences)
        {
            var index = difference.Handle - bindResults.FirstHandle;
            if (index < 0 || index >= known.Length)
                throw new WireException($"bind result: handle {difference.Handle} does not belong to its contract.");
            var method = part.Group.Methods[part.FirstIndex + index];
            known[index] = new BindState(true, true, method.Judge(difference, peerName));
        }

        lock (_gate)
        {
            var all = new BindState[_nextHandle];
            _states.CopyTo(all, 0);
            known.CopyTo(all, bindResults.FirstHandle);
            Volatile.Write(ref _states, all);
        }

        Wake();
    }

    private BoundPart PartAt(int firstHandle)
    {
        lock (_gate)
        {
            return _parts.TryGetValue(firstHandle, out var part)
                ? part
                : throw new WireException($"bind result: no contract was bound at handle {firstHandle}.");
        }
    }

    private void Wake()
    {
        TaskCompletionSource? learned;
        lock (_gate)
            (learned, _learned) = (_learned, null);
        learned?.TrySetResult();
    }

    private int Bind(MethodGroup group)
    {
        lock (_gate)
        {
            if (group.Index < _firstHandles.Length && _firstHandles[group.Index] > 0)
                return _firstHandles[group.Index] - 1;
            var first = _nextHandle;
            if (first + group.Methods.Length > GlueLimits.MethodHandlesMax)
                throw new InvalidOperationException($"More than {GlueLimits.MethodHandlesMax} methods on one link.");
            Announce(group, first);
            _nextHandle += group.Methods.Length;
            var firstHandles = new int[Math.Max(_firstHandles.Length, group.Index + 1)];
            _firstHandles.CopyTo(firstHandles, 0);
            // One more than the handle, so that zero means unbound.
            firstHandles[group.Index] = first + 1;
            Volatile.Write(ref _firstHandles, firstHandles);
            return first;
        }
    }

    private void Announce(MethodGroup group, int first)
    {
        foreach (var part in group.Parts)
        {
            var request = part with { FirstHandle = first + part.FirstHandle };
            _parts.Add(request.FirstHandle, new BoundPart(group, part.FirstHandle, part.Methods.Length));
            var body = new WireBuffer(512, int.MaxValue);
            request.Write(body);
            var header = new EnvelopeHeader { Kind = EnvelopeKind.Bind, CallId = (ulong)substream.Role };
            substream.Writer.Append(header, body.WrittenSpan);
            body.Reset();
        }
    }
}
