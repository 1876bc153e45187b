using Cluster.Glue.Faults;

namespace Cluster.Glue.Wire;

/// <summary>The answer to a <see cref="BindRequest"/>: the refused methods, and the methods whose messages describe
/// their types because the two sides have different builds. All other methods are the same on both sides.</summary>
internal sealed record BindResults(int FirstHandle, BindResults.Difference[] Differences)
{
    private const int ReasonBytesMax = 8192;

    /// <summary>The difference in one method.</summary>
    /// <param name="Handle">The method.</param>
    /// <param name="IsRefused">Whether calls to it fail.</param>
    /// <param name="Code">Why calls fail.</param>
    /// <param name="Reason">The cause in words; empty when calls do not fail.</param>
    /// <param name="Result">The description of the result, which the caller checks; empty when calls fail.</param>
    public readonly record struct Difference(
        int Handle, bool IsRefused, GlueErrorCode Code, string Reason, byte[] Result);

    public void Write(WireBuffer output)
    {
        output.WriteVarint((ulong)FirstHandle);
        output.WriteVarint((ulong)Differences.Length);
        foreach (var difference in Differences)
        {
            output.WriteVarint((ulong)difference.Handle);
            output.WriteVarint(difference.IsRefused ? (ulong)difference.Code : 0);
            output.WriteText(difference.Reason);
            output.WriteBlock(difference.Result);
        }
    }

    public static BindResults Read(ReadOnlySpan<byte> body)
    {
        var reader = new WireReader(body);
        var first = reader.ReadLength(GlueLimits.MethodHandlesMax, "first bound handle");
        var count = reader.ReadLength(Math.Min(GlueLimits.MethodHandlesMax, reader.Remaining), "difference count");
        var differences = new Difference[count];
        for (var i = 0; i < count; i++)
        {
            var handle = reader.ReadLength(GlueLimits.MethodHandlesMax, "handle");
            var cause = reader.ReadLength(int.MaxValue, "cause");
            var reason = reader.ReadPlainText(ReasonBytesMax, "reason");
            var code = ErrorCodes.Of(cause, ref reason);
            differences[i] = new Difference(
                handle, cause != 0, code, reason, reader.ReadBlock("result description").ToArray());
        }

        return new BindResults(first, differences);
    }
}
