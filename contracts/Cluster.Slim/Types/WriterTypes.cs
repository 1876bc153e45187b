using Cluster.Slim.Errors;
using Cluster.Slim.Graph;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Types;

/// <summary>The types that the messages of one writer have described, by index. A standalone message describes a type
/// at its first use; a session collects the descriptions of a message for its header. Owned by one writer.</summary>
internal sealed class WriterTypes(bool isSession)
{
    private const int ScanCount = 8;

    private readonly List<Entry> _types = [];
    private readonly Dictionary<ObjectPlan, int> _indexes = [];
    private RootLead? _lead;
    private long _bytes;
    private int _committedCount;
    private long _committedBytes;

    /// <summary>The types described since the last commit.</summary>
    public IEnumerable<ObjectPlan> Uncommitted => _types.Skip(_committedCount).Select(static e => e.Plan);

    /// <summary>How many types have been described, those of the present message included.</summary>
    public int Count => _types.Count;

    public int UncommittedCount => _types.Count - _committedCount;

    public void WriteReference(SlimWriter writer, ObjectPlan plan)
    {
        if (plan.WireCode != 0)
        {
            writer.WriteVar((uint)plan.WireCode);
            return;
        }

        if (writer.Engine.Rules.Profile == SlimProfile.InProcess)
        {
            writer.WriteVar(Heads.TypeTableFirst + (uint)plan.ProcessId);
            return;
        }

        if (_lead is not null)
            AddLead(_lead);
        var index = IndexOf(plan);
        if (index < 0)
        {
            index = Add(writer.Engine, plan);
            writer.Doubts.Charge(DescribedBytesOf(writer.Engine, plan));
            if (!isSession)
            {
                writer.WriteByte(0);
                WriteDescription(writer, plan);
                return;
            }
        }

        writer.WriteVar(Heads.TypeTableFirst + (uint)index);
    }

    /// <summary>Takes the type of the root, whose description was written as part of the lead. Few messages ever look
    /// at it, so it becomes an entry only when one does.</summary>
    public void AddFirst(RootLead lead) => _lead = lead;

    public static void WriteDescription(SlimWriter writer, ObjectPlan plan)
    {
        if (plan.Fingerprint == 0)
            plan.Fingerprint = writer.Engine.Plans.FingerprintOf(plan.Type);
        writer.WriteRaw(plan.Fingerprint);
        if (writer.Engine.Schema == SlimSchema.Known)
            return;
        var text = plan.DescriptionText ??= writer.Engine.Plans.Describe(plan.Type);
        writer.WriteVar((uint)text.Length);
        writer.WriteBytes(text);
    }

    /// <summary>What the description of the type counts against its limit.</summary>
    public static int DescribedBytesOf(SlimEngine engine, ObjectPlan plan) => engine.Schema == SlimSchema.Known
        ? DescribedType.FingerprintBytes
        : DescribedType.FingerprintBytes + (plan.DescriptionText ??= engine.Plans.Describe(plan.Type)).Length;

    public void Commit()
    {
        _committedCount = _types.Count;
        _committedBytes = _bytes;
    }

    /// <summary>Forgets the types of a standalone message; a session decides by itself.</summary>
    public void EndMessage()
    {
        _lead = null;
        if (!isSession && _types.Count > 0)
            RollBack();
    }

    /// <summary>Forgets what was described since the last commit.</summary>
    public void RollBack()
    {
        while (_types.Count > _committedCount)
        {
            if (_types.Count > ScanCount)
                _indexes.Remove(_types[^1].Plan);
            _types.RemoveAt(_types.Count - 1);
        }

        if (_types.Count <= ScanCount && _indexes.Count > 0)
            _indexes.Clear();

        _bytes = _committedBytes;
    }

    private void AddLead(RootLead lead)
    {
        _lead = null;
        _bytes = lead.DescribedBytes;
        _types.Add(new Entry(lead.Plan));
    }

    private int IndexOf(ObjectPlan plan)
    {
        if (_types.Count > ScanCount)
            return _indexes.TryGetValue(plan, out var known) ? known : -1;
        for (var i = 0; i < _types.Count; i++)
        {
            if (ReferenceEquals(_types[i].Plan, plan))
                return i;
        }

        return -1;
    }

    private int Add(SlimEngine engine, ObjectPlan plan)
    {
        var limits = engine.Limits;
        if (_types.Count == limits.TypeCountMax)
            Throw.Limit(nameof(SlimLimits.TypeCountMax), limits.TypeCountMax, _types.Count + 1L);
        var bytes = _bytes + DescribedBytesOf(engine, plan);
        if (bytes > limits.TypeBytesMax)
            Throw.Limit(nameof(SlimLimits.TypeBytesMax), limits.TypeBytesMax, bytes);
        _bytes = bytes;
        _types.Add(new Entry(plan));
        Index(plan);
        return _types.Count - 1;
    }

    // Few types are scanned; the dictionary is filled when it begins to pay.
    private void Index(ObjectPlan plan)
    {
        if (_types.Count <= ScanCount)
            return;
        if (_indexes.Count > 0)
        {
            _indexes.Add(plan, _types.Count - 1);
            return;
        }

        for (var i = 0; i < _types.Count; i++)
            _indexes.Add(_types[i].Plan, i);
    }

    /// <summary>A described type. A struct, because storing it in an array needs no check of its type.</summary>
    /// <param name="Plan">The plan of the type.</param>
    private readonly record struct Entry(ObjectPlan Plan);
}
