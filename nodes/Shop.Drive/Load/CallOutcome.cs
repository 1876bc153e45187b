namespace Shop.Drive.Load;

/// <summary>How the load counts a call.</summary>
internal enum CallOutcome
{
    /// <summary>The call got the right answer.</summary>
    Answered,

    /// <summary>The owner is gone or has just died, so no node could answer.</summary>
    Unavailable,

    /// <summary>The call failed although its owner was alive, or it got a wrong answer.</summary>
    Failed,
}
