using Cluster.Slim.Graph;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Types;

/// <summary>
/// The types that the messages of one writer have described, by index. A standalone message describes a type at its
/// first use; a session collects the descriptions of a message for its header. Owned by one writer.
/// </summary>
internal sealed class WriterTypes(PlanRegistry plans, SlimSchema schema, SlimLimits limits, bool isSession)
{
    private const int ScanCount = 8;

    private readonly List<ObjectPlan> _types = [];
    private readonly Dictionary<ObjectPlan, int> _indexes = [];
    private int _bytes;
    private int _committedCount;
    private int _committedBytes;

    /// <summary>The types described since the last commit.</summary>
    internal IEnumerable<ObjectPlan> Uncommitted => _types.Skip(_committedCount);

    internal int UncommittedCount => _types.Count - _committedCount;

    internal void WriteReference(SlimWriter writer, ObjectPlan plan)
    {
        if (plan.WireCode != 0)
        {
            writer.WriteVar((uint)plan.WireCode);
            return;
        }

        if (plans.Rules.Profile == SlimProfile.InProcess)
        {
            writer.WriteVar(Heads.TypeTableFirst + (uint)plan.ProcessId);
            return;
        }

        int index = IndexOf(plan);
        if (index < 0)
        {
            index = Add(plan);
            if (!isSession)
            {
                writer.WriteByte(0);
                WriteDescription(writer, plan);
                return;
            }
        }

        writer.WriteVar(Heads.TypeTableFirst + (uint)index);
    }

    internal void WriteDescription(SlimWriter writer, ObjectPlan plan)
    {
        if (plan.Fingerprint == 0)
            plan.Fingerprint = plans.FingerprintOf(plan.Type);
        writer.WriteRaw(plan.Fingerprint);
        if (schema == SlimSchema.Known)
            return;
        byte[] text = plan.DescriptionText ??= plans.Describe(plan.Type);
        writer.WriteVar((uint)text.Length);
        writer.WriteBytes(text);
    }

    internal void Commit()
    {
        _committedCount = _types.Count;
        _committedBytes = _bytes;
    }

    /// <summary>Forgets what was described since the last commit.</summary>
    internal void RollBack()
    {
        while (_types.Count > _committedCount)
        {
            if (_types.Count > ScanCount)
                _indexes.Remove(_types[^1]);
            _types.RemoveAt(_types.Count - 1);
        }

        if (_types.Count <= ScanCount && _indexes.Count > 0)
            _indexes.Clear();

        _bytes = _committedBytes;
    }

    private int IndexOf(ObjectPlan plan)
    {
        if (_types.Count > ScanCount)
            return _indexes.TryGetValue(plan, out int known) ? known : -1;
        for (int i = 0; i < _types.Count; i++)
        {
            if (ReferenceEquals(_types[i], plan))
                return i;
        }

        return -1;
    }

    private int Add(ObjectPlan plan)
    {
        if (_types.Count == limits.TypeCountMax)
            Throw.Limit(nameof(SlimLimits.TypeCountMax), limits.TypeCountMax, _types.Count + 1L);
        _bytes += 8 + (schema == SlimSchema.Full ? (plan.DescriptionText ??= plans.Describe(plan.Type)).Length : 0);
        if (_bytes > limits.TypeBytesMax)
            Throw.Limit(nameof(SlimLimits.TypeBytesMax), limits.TypeBytesMax, _bytes);
        _types.Add(plan);
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

        for (int i = 0; i < _types.Count; i++)
            _indexes.Add(_types[i], i);
    }
}
