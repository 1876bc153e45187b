using Cluster.Contracts;

namespace Cluster.Glue.Wire;

/// <summary>
/// The answer to a <see cref="BindRequest"/>: for each refused method its index, cause and reason; the rest are the
/// same on both sides.
/// </summary>
internal sealed record BindVerdicts(int FirstHandle, BindVerdicts.Refusal[] Refusals)
{
    private const int ReasonBytesMax = 8192;

    /// <summary>Why calls to one method will fail.</summary>
    internal readonly record struct Refusal(int Handle, GlueErrorCode Code, string Reason);

    public void Write(WireBuffer output)
    {
        output.WriteVarint((ulong)FirstHandle);
        output.WriteVarint((ulong)Refusals.Length);
        foreach (Refusal refusal in Refusals)
        {
            output.WriteVarint((ulong)refusal.Handle);
            output.WriteVarint((ulong)refusal.Code);
            output.WriteText(refusal.Reason);
        }
    }

    public static BindVerdicts Read(ReadOnlySpan<byte> body)
    {
        var reader = new WireReader(body);
        int first = reader.ReadLength(GlueLimits.MethodHandlesMax, "first handle");
        int count = reader.ReadLength(Math.Min(GlueLimits.MethodHandlesMax, reader.Remaining), "refusal count");
        var refusals = new Refusal[count];
        for (int i = 0; i < count; i++)
        {
            refusals[i] = new Refusal(
                reader.ReadLength(GlueLimits.MethodHandlesMax, "handle"),
                (GlueErrorCode)reader.ReadLength(int.MaxValue, "cause"),
                reader.ReadText(ReasonBytesMax, "reason"));
        }

        return new BindVerdicts(first, refusals);
    }
}
