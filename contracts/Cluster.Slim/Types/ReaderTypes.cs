using Cluster.Slim.Graph;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Types;

/// <summary>The types that the messages of one reader have described, by index. Owned by one reader.</summary>
internal sealed class ReaderTypes(bool isSession)
{
    private readonly List<DescribedType> _types = [];
    private RootLead? _lead;
    private long _bytes;

    /// <summary>Whether the message names types by fingerprint; set from its header.</summary>
    internal bool IsKnownSchema { get; set; }

    /// <summary>Whether the message belongs to a session, whose descriptions stand in the header.</summary>
    internal bool IsSession => isSession;

    internal ObjectPlan ReadReference(SlimReader reader, AllowSet allowed)
    {
        uint code = reader.ReadVar();
        if (code is > 0 and < Heads.TypeTableFirst)
            return allowed.PlanOfCode(code);
        if (_lead is not null)
            AddLead(_lead);
        if (code >= Heads.TypeTableFirst)
            return Find(code - Heads.TypeTableFirst, allowed, reader.Engine.Plans);
        if (IsSession || allowed.IsInProcess)
            Throw.Malformed("A type description stands inside a message that cannot have one there.");
        return ReadDescription(reader).Find(allowed, reader.Engine.Plans);
    }

    /// <summary>Takes the type of the root, whose description was compared as part of the lead. Few messages ever look
    /// at it, so it becomes an entry only when one does.</summary>
    internal void AddFirst(RootLead lead) => _lead = lead;

    internal DescribedType ReadDescription(SlimReader reader)
    {
        SlimLimits limits = reader.Engine.Limits;
        if (_types.Count == limits.TypeCountMax)
            Throw.Limit(nameof(SlimLimits.TypeCountMax), limits.TypeCountMax, _types.Count + 1L);
        ulong fingerprint = reader.ReadRaw<ulong>();
        byte[]? text = null;
        _bytes += 8;
        if (!IsKnownSchema)
        {
            int length = reader.ReadCount(1);
            _bytes += length;
            if (_bytes > limits.TypeBytesMax)
                Throw.Limit(nameof(SlimLimits.TypeBytesMax), limits.TypeBytesMax, _bytes);
            reader.Charge(length);
            text = new byte[length];
            reader.ReadBytes(text);
        }

        DescribedType type = new(fingerprint, text);
        _types.Add(type);
        return type;
    }

    /// <summary>Forgets the types of a standalone message; a session keeps them.</summary>
    internal void EndMessage()
    {
        _lead = null;
        if (isSession || _types.Count == 0)
            return;
        _types.Clear();
        _bytes = 0;
    }

    private void AddLead(RootLead lead)
    {
        _lead = null;
        _bytes = lead.Bytes.Length;
        _types.Add(lead.Described!);
    }

    private ObjectPlan Find(uint index, AllowSet allowed, PlanRegistry plans)
    {
        if (allowed.IsInProcess)
        {
            ObjectPlan? plan = plans.FindByProcessId(index);
            if (plan is null)
                Throw.Malformed($"The type {index} is unknown to this serializer.");
            return plan!;
        }

        if (index >= (uint)_types.Count)
            Throw.Malformed($"The type {index} is behind the {_types.Count} types described so far.");
        return _types[(int)index].Find(allowed, plans);
    }
}
