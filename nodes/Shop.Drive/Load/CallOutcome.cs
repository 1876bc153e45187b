namespace Shop.Drive.Load;

/// <summary>What a call of the load counts as.</summary>
internal enum CallOutcome
{
    /// <summary>Answered, and the answer is right.</summary>
    Answered,

    /// <summary>Its owner is gone or has just died: nobody could have answered.</summary>
    Unavailable,

    /// <summary>It should have been answered, or the answer is wrong.</summary>
    Failed,
}
