using Cluster.Contracts;
using Cluster.Glue.Calls;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Links;

/// <summary>
/// The handles that this side gave to the methods it calls over one link. A contract is bound when its first call
/// comes; the Bind precedes that call on the stream, so nobody waits for the verdicts. Arrays are replaced under a
/// lock and read without.
/// </summary>
internal sealed class OutgoingMethods(LaneWriter writer)
{
    private readonly Lock _gate = new();
    private int[] _firstHandles = [];
    private BindVerdicts.Refusal?[] _refusals = [];
    private int _nextHandle;

    public int HandleOf(ClientMethod method)
    {
        int[] firstHandles = Volatile.Read(ref _firstHandles);
        MethodGroup group = method.Group;
        int first = group.Index < firstHandles.Length ? firstHandles[group.Index] - 1 : -1;
        return (first >= 0 ? first : Bind(group)) + method.Contract.Index - group.FirstMethodIndex;
    }

    /// <summary>Why the server refuses the method; null when it does not, or has not said so yet.</summary>
    public GlueException? RefusalOf(int handle)
    {
        BindVerdicts.Refusal?[] refusals = Volatile.Read(ref _refusals);
        return handle < refusals.Length && refusals[handle] is { } refusal
            ? GlueErrors.NotDelivered(GlueErrorKind.Refused, refusal.Code, refusal.Reason)
            : null;
    }

    public void Learn(BindVerdicts verdicts)
    {
        if (verdicts.Refusals.Length == 0)
            return;
        lock (_gate)
        {
            var refusals = new BindVerdicts.Refusal?[_nextHandle];
            _refusals.CopyTo(refusals, 0);
            foreach (BindVerdicts.Refusal refusal in verdicts.Refusals)
            {
                if (refusal.Handle >= _nextHandle)
                    throw new WireException($"verdict: handle {refusal.Handle} was never bound.");
                refusals[refusal.Handle] = refusal;
            }

            Volatile.Write(ref _refusals, refusals);
        }
    }

    private int Bind(MethodGroup group)
    {
        lock (_gate)
        {
            if (group.Index < _firstHandles.Length && _firstHandles[group.Index] > 0)
                return _firstHandles[group.Index] - 1;
            int first = _nextHandle;
            if (first + group.Methods.Length > GlueLimits.MethodHandlesMax)
                throw new InvalidOperationException($"More than {GlueLimits.MethodHandlesMax} methods on one link.");
            _nextHandle += group.Methods.Length;
            Announce(group, first);
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
        var body = new WireBuffer(512, int.MaxValue);
        var methods = Array.ConvertAll(group.Methods, method => new BindRequest.Method(
            method.Contract.Method.Name,
            method.Contract.SignatureHash,
            method.LayoutFingerprint,
            method.TypeArguments));
        new BindRequest(first, group.Owner.Description.Name, methods).Write(body);
        writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Bind }, body.WrittenSpan);
        body.Reset();
    }
}
