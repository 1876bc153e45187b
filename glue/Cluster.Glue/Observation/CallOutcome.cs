namespace Cluster.Glue.Observation;

/// <summary>How a call ended, as spans and metrics say it. Each call has one of four outcomes. Immutable.</summary>
/// <param name="Outcome">One of the constants.</param>
/// <param name="Error">The type of the error: a code of Glue, or the type of an exception; null: none.</param>
/// <param name="Status">The code of Glue; null: Glue has not failed.</param>
internal readonly record struct CallOutcome(string Outcome, string? Error = null, string? Status = null)
{
    public const string Ok = "ok";
    public const string Failed = "failed";
    public const string Cancelled = "cancelled";
    public const string TimedOut = "timed_out";

    /// <summary>The outcome of a call with this failure; null: it succeeded.</summary>
    public static CallOutcome Of(Exception? failure) => failure switch
    {
        null => new(Ok),
        // Whichever type a library has derived from it.
        OperationCanceledException => new(Cancelled, typeof(OperationCanceledException).FullName),
        GlueException { Kind: GlueErrorKind.Deadline } late => OfGlue(TimedOut, late),
        GlueException known => OfGlue(Failed, known),
        _ => new(Failed, failure.GetType().FullName),
    };

    private static CallOutcome OfGlue(string outcome, GlueException failure)
    {
        var code = NameOf(failure.Code);
        return new(outcome, code, code);
    }

    /// <summary>The name of a code. Codes of newer peers have no name here.</summary>
    public static string NameOf(GlueErrorCode code) => Enum.GetName(code) ?? nameof(GlueErrorCode.Unknown);
}
