namespace Shop.Orders;

/// <summary>A company that orders, represented by a person. Not thread-safe.</summary>
/// <remarks>States a company.</remarks>
/// <param name="name">The company's name.</param>
/// <param name="taxNumber">The tax number for the invoice.</param>
/// <param name="contact">The person who represents the company.</param>
public sealed class CompanyCustomer(string name, string taxNumber, PrivateCustomer contact) : Customer(name)
{

    /// <summary>The tax number for the invoice.</summary>
    public string TaxNumber { get; } = taxNumber;

    /// <summary>The person who represents the company. Receives the loyalty points.</summary>
    public PrivateCustomer Contact { get; } = contact;
}
