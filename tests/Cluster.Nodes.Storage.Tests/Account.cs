using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Tests;

/// <summary>The value of the states of these tests.</summary>
public sealed class Account
{
    public int Balance { get; set; }

    public string Note { get; set; } = "";
}

/// <summary>Adds to the balance; opens the account where there is none. Answers the new balance.</summary>
public sealed class Deposit(int amount) : IStateOperation<Account, int>
{
    public int Apply(ref Account? state, in OperationContext context)
    {
        state ??= new Account();
        return state.Balance += amount;
    }
}

/// <summary>Removes the account. Answers its balance; -1 where there is none.</summary>
public sealed class Close : IStateOperation<Account, int>
{
    public int Apply(ref Account? state, in OperationContext context)
    {
        var balance = state?.Balance ?? -1;
        state = null;
        return balance;
    }
}

/// <summary>Fails.</summary>
public sealed class Overdraw : IStateOperation<Account, int>
{
    public int Apply(ref Account? state, in OperationContext context)
    {
        if (state is not null)
            state.Balance = int.MinValue;
        throw new ArgumentOutOfRangeException(nameof(state), "there is not enough");
    }
}
