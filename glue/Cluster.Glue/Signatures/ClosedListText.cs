using Cluster.Slim;

namespace Cluster.Glue.Signatures;

/// <summary>Explains why the serializer refused a value. The serializer's own message names its options, which a user
/// of Glue does not set: a type that is not on the closed list is added to the options of the client and of the server.
/// Pure.</summary>
internal static class ClosedListText
{
    /// <summary>The remedy for a type that is not on the list.</summary>
    public const string Remedy =
        "Add it on both sides, to GlueClientOptions.ConfigureTypes of the caller and to "
        + "GlueServerOptions.ConfigureTypes of the server.";

    /// <summary>The message of a failure, with the exception of the value's own code where it threw one.</summary>
    public static string Why(Exception cause)
    {
        var why = WhyAlone(cause);
        return cause.InnerException is { } inner ? $"{why} {WhyAlone(inner)}" : why;
    }

    private static string WhyAlone(Exception cause) => cause switch
    {
        SlimTypeNotAllowedException { AllowCall.Length: > 0 } refusal =>
            $"{refusal.TypeName}{PathOf(refusal)} is not on the closed list of the contract. {Remedy} "
            + $"As in: ConfigureTypes = types => types.{refusal.AllowCall}.",
        // The message of a peer that has the type: the type travels without its name.
        SlimLayoutException { UnknownFingerprint: { } fingerprint } refusal =>
            $"the message holds{PathOf(refusal)} an object of a type that is not on the closed list here, or has other "
            + $"fields here (layout fingerprint {fingerprint:x16}). {Remedy} Give the type the same fields there.",
        _ => cause.Message,
    };

    private static string PathOf(SlimException refusal) =>
        refusal.MemberPath is { } member ? $" (found at {member})" : string.Empty;
}
