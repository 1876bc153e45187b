namespace Cluster.Glue.Faults;

/// <summary>Causes as they travel: a peer of a newer build may name one that is not known here. Pure.</summary>
internal static class ErrorCodes
{
    /// <summary>The cause with this number; what is unknown here is told in words as well.</summary>
    public static GlueErrorCode Of(int number, ref string message)
    {
        var code = (GlueErrorCode)number;
        if (Enum.IsDefined(code))
            return code;
        message = $"{message} (cause {number}, which this build does not know)";
        return GlueErrorCode.Unknown;
    }
}
