using Cluster.StateStore;

namespace StoredState;

/// <summary>Adds to the balance. It runs on the node that owns the account.</summary>
/// <param name="amount">How much.</param>
public sealed class Deposit(decimal amount) : IStateOperation<Account, decimal>
{
    /// <inheritdoc />
    public decimal Apply(ref Account? account, in OperationContext context)
    {
        account ??= new Account();
        return account.Balance += amount;
    }
}
