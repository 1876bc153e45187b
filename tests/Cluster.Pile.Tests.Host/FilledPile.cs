namespace Cluster.Pile.Tests.Host;

/// <summary>A pile that is filled until it refuses, in a process whose memory somebody else has limited.</summary>
public static class FilledPile
{
    /// <summary>How the process ends when the budget was refused at the start.</summary>
    public const int Refused = 3;

    private const int ObjectBytes = 1000;

    /// <summary>Writes why the pile refused: the budget, or an object when it was full.</summary>
    public static int Run(long budgetBytes)
    {
        try
        {
            using var pile = new LocalPile(new PileOptions { BudgetBytes = budgetBytes });
            Console.WriteLine(Fill(pile));
            return 0;
        }
        catch (ArgumentException refused)
        {
            Console.WriteLine(refused.Message);
            return Refused;
        }
    }

    private static string Fill(LocalPile pile)
    {
        Span<byte> payload = stackalloc byte[ObjectBytes];
        payload.Fill(1);
        try
        {
            while (true)
                pile.Put(payload);
        }
        catch (PileFullException full)
        {
            return $"{pile.GetStatistics().LiveBytes} live bytes: {full.Message}";
        }
    }
}
