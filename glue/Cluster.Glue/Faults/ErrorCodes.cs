namespace Cluster.Glue.Faults;

/// <summary>Error codes on the wire: a peer of a newer build may send one that this build does not know.
/// Pure.</summary>
internal static class ErrorCodes
{
    /// <summary>The code with this number. For an unknown number the message says so.</summary>
    public static GlueErrorCode Of(int number, ref string message)
    {
        var code = (GlueErrorCode)number;
        if (Enum.IsDefined(code))
            return code;
        message = $"{message} (cause {number}, which this build does not know)";
        return GlueErrorCode.Unknown;
    }
}
