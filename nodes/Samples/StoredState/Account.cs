namespace StoredState;

/// <summary>The value of the state: any class. It needs no attributes.</summary>
public sealed class Account
{
    /// <summary>How much is there.</summary>
    public decimal Balance { get; set; }
}
