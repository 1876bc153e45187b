using Cluster.Slim;
using Cluster.Slim.Hosting;

namespace Cluster.StateStore.Hosting.States;

/// <summary>How the values, operations, results and failures of one state become bytes and back. Immutable and
/// thread-safe.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
internal sealed class ValueFormat<TValue>(
    string state, SlimSerializer serializer, FailureCodec failures, int valueBytesMax)
{
    public SlimSerializer Serializer { get; } = serializer;

    public FailureCodec Failures { get; } = failures;

    public TValue Read(ReadOnlySpan<byte> value) => FromBytes<TValue>(value);

    /// <summary>Serializes a value. The caller disposes the buffer.</summary>
    public ValueBuffer Write(TValue value)
    {
        var buffer = new ValueBuffer();
        try
        {
            Serializer.Serialize(buffer, value);
            RefuseBeyondLimit(buffer.Length);
            return buffer;
        }
        catch (SlimException refusal)
        {
            buffer.Dispose();
            throw Refused(refusal);
        }
        catch
        {
            buffer.Dispose();
            throw;
        }
    }

    public byte[] ToBytes<T>(T graph)
    {
        try
        {
            return Serializer.Serialize(graph);
        }
        catch (SlimException refusal)
        {
            throw Refused(refusal);
        }
    }

    public T FromBytes<T>(ReadOnlySpan<byte> bytes) =>
        TryFromBytes(bytes, out T value, out var unknown) ? value : throw RefuseLayout(unknown);

    /// <summary>Reads a value, or the result of an operation.</summary>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="value">What was read.</param>
    /// <param name="unknown">The serializer's refusal of a layout that this process does not know.</param>
    /// <returns>False: it has such a layout.</returns>
    /// <exception cref="StateException">It cannot be read for another reason.</exception>
    public bool TryFromBytes<T>(
        ReadOnlySpan<byte> bytes, out T value, [NotNullWhen(false)] out SlimLayoutException? unknown)
    {
        try
        {
            (value, unknown) = (Serializer.Deserialize<T>(bytes), null);
            return true;
        }
        catch (SlimLayoutException refusal) when (refusal.UnknownFingerprint is not null)
        {
            (value, unknown) = (default!, refusal);
            return false;
        }
        catch (SlimException refusal)
        {
            throw Refused(refusal);
        }
    }

    /// <summary>The refusal of a value with a layout that nobody knows.</summary>
    /// <param name="refusal">The serializer's refusal, which names the layout.</param>
    public StateRefusedException RefuseLayout(SlimLayoutException refusal) => new(
        $"State '{state}': the message holds an object of a type that is not on the closed list of the state here, or "
        + $"has other fields here (layout fingerprint {refusal.UnknownFingerprint:x16}), and no node that was asked "
        + "knows that layout. Add the type to the registration of the state on every node and every client, or give it "
        + $"the same fields there: AddState(\"{state}\", s => s.ConfigureTypes(types => types.Allow<T>())).", refusal);

    public void RefuseBeyondLimit(int valueBytes)
    {
        if (valueBytes <= valueBytesMax)
            return;
        throw new StateRefusedException(
            $"State '{state}': a value of {valueBytes} bytes is larger than {valueBytesMax}; raise s.MaxValueBytes or "
            + "store less.");
    }

    // The serializer's message names options of the serializer, which the user of a state does not set.
    private StateException Refused(SlimException refusal) => refusal switch
    {
        SlimTypeNotAllowedException { AllowCall.Length: > 0 } type => new StateRefusedException(
            $"State '{state}': {type.TypeName}{PathOf(type)} is not on the closed list of the state. Add it to the "
            + "registration of the state, on both sides, that is on every node and every client: "
            + $"AddState(\"{state}\", s => s.ConfigureTypes(types => types.{type.AllowCall})).", refusal),
        SlimLayoutException { UnknownFingerprint: not null } layout => RefuseLayout(layout),
        SlimLayoutException { WrittenFingerprint: { } written } => new StateRefusedException(
            $"State '{state}': the value was written with the layout {written:x16}, which cannot be read as the layout "
            + $"{SlimLayouts.FingerprintOf(Serializer, typeof(TValue)):x16} of {typeof(TValue).FullName} here: "
            + refusal.Message, refusal),
        SlimMalformedException or SlimLayoutException =>
            new StateFormatException($"State '{state}': {refusal.Message}", refusal),
        _ => new StateRefusedException($"State '{state}': {refusal.Message}", refusal),
    };

    private static string PathOf(SlimTypeNotAllowedException refusal) =>
        refusal.MemberPath is { } member ? $" (found at {member})" : "";
}
