using Cluster.Slim;
using Cluster.StateStore.Errors;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Operations;

/// <summary>How the values of one state become bytes and back. Immutable and thread-safe.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
internal sealed class ValueFormat<TValue>(string state, SlimSerializer serializer, int valueBytesMax)
{
    internal SlimSerializer Serializer { get; } = serializer;

    internal TValue Read(ReadOnlySpan<byte> value) => Serializer.Deserialize<TValue>(value);

    /// <summary>Serializes a value into a record of its own. The caller disposes it.</summary>
    internal RecordBuffer Write(in RecordKey key, TValue value)
    {
        var record = RecordBuffer.Start(key);
        try
        {
            Serializer.Serialize(record, value);
            RefuseBeyondLimit(record.Record.Value.Length);
            return record;
        }
        catch
        {
            record.Dispose();
            throw;
        }
    }

    internal void RefuseBeyondLimit(int valueBytes)
    {
        if (valueBytes <= valueBytesMax) return;
        throw new StateRefusedException(
            $"State '{state}': a value of {valueBytes} bytes is larger than {valueBytesMax}; raise s.ValueBytesMax or "
            + "store less.");
    }
}
